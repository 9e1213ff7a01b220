-- The requests of wrk. Without arguments: GET the URL. With "sessions NAME FILE" after `--`:
-- open the pack at the URL with the sessions in FILE in turn, each request with a unique
-- idempotency key and client seed. With "users COUNT": the open of a peer.

local sessions, name, n = {}, "", 0

local function open()
  n = n + 1
  local session = sessions[n % #sessions + 1]
  return wrk.format("POST", nil, {
    ["Content-Type"] = "application/json", ["Cookie"] = session, ["Idempotency-Key"] = name .. n,
  }, '{"clientSeed":"' .. name .. n .. '"}')
end

-- A peer identifies its users by number, without sessions.
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

-- One line for the bench program: requests, duration in microseconds, p50 and p99 in
-- microseconds, refused requests, broken connections.
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("\nbench %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
