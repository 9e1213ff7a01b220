-- What wrk asks for: what its address is, over and over; or, given a file of sessions
-- behind `--`, an open of the pack at its address with each of them in turn, under a key
-- and a client seed that no other request has.

local sessions, name, n = {}, "", 0

local function open()
  n = n + 1
  local session = sessions[n % #sessions + 1]
  return wrk.format("POST", nil, {
    ["Content-Type"] = "application/json", ["Cookie"] = session, ["Idempotency-Key"] = name .. n,
  }, '{"clientSeed":"' .. name .. n .. '"}')
end

-- A peer knows its users by their numbers alone.
local function openOfPeer()
  n = n + 1
  return wrk.format("POST", nil, { ["Content-Type"] = "application/json" }, '{"pack":"2","user":' .. n % tonumber(name) .. "}")
end

function init(args)
  if args[1] == "sessions" then
    name = args[2]
    for line in io.lines(args[3]) do
      sessions[#sessions + 1] = line
    end
    request = open
  elseif args[1] == "users" then
    name = args[2]
    request = openOfPeer
  end
end

-- One line for the program: requests, microseconds, p50 and p99 in microseconds, refusals,
-- broken connections.
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("\nbench %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
