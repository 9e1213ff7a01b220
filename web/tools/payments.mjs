// Sends payments on a fake Solana node for the tests of internal/deposits/solana. Prints the node's URL, addresses and
// signatures as JSON, and serves until standard input closes.
import { AccountRole, address, generateKeyPairSigner, getAddressEncoder, getU64Encoder } from '@solana/kit'
import { Chain, tokenPrograms } from './chain.mjs'

const systemProgram = address('11111111111111111111111111111111')
const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const clockSysvar = address('SysvarC1ock11111111111111111111111111111111')
const owed = 20_624_999n // lamports
const dollars = 24_750_000n // base units of USDC
const at = 1_800_000_000n // Unix seconds
const { WRITABLE, READONLY, WRITABLE_SIGNER, READONLY_SIGNER } = AccountRole

const u64 = (amount) => getU64Encoder().encode(amount)
const bytesOf = (key) => getAddressEncoder().encode(key)
const signs = (signer, role = WRITABLE_SIGNER) => ({ address: signer.address, role, signer })

/** Transfers lamports from one account to another. */
const pay = (from, to, amount) => ({
  programAddress: systemProgram,
  accounts: [signs(from), { address: to, role: WRITABLE }],
  data: Uint8Array.of(2, 0, 0, 0, ...u64(amount)),
})

/** Transfers tokens between token accounts, signed by the first one's owner. */
const payTokens = (program, from, to, owner, amount) => ({
  programAddress: program,
  accounts: [{ address: from, role: WRITABLE }, { address: to, role: WRITABLE }, signs(owner, READONLY_SIGNER)],
  data: Uint8Array.of(3, ...u64(amount)),
})

const parties = {}
for (const name of ['payer', 'merchant', 'provider', 'mint', 'mint2022', 'opened', 'table']) {
  parties[name] = await generateKeyPairSigner()
}
const { payer, merchant, provider, mint, mint2022, opened, table } = parties

const chain = new Chain()
chain.fund(payer.address, 10_000_000_000n)
chain.fund(merchant.address, 1_000_000_000n)
chain.fund(provider.address, 1_000_000_000n)
chain.putTable(table.address, [clockSysvar, provider.address, merchant.address])

/** Creates a mint and token accounts of payer, merchant and provider. */
async function createMint(mintAddress, program) {
  chain.putMint(mintAddress, program)
  const accounts = {}
  for (const [name, owner] of Object.entries({ payer, merchant, provider })) {
    accounts[name] = (await generateKeyPairSigner()).address
    chain.putTokens(accounts[name], program, mintAddress, owner.address, 1_000_000_000n)
  }
  return accounts
}
const inUSDC = await createMint(usdc, tokenPrograms.token)
const inOther = await createMint(mint.address, tokenPrograms.token)
const in2022 = await createMint(mint2022.address, tokenPrograms.token2022)

/** Creates a token account of the merchant in the same transaction as the payment. */
const rent = chain.put((await generateKeyPairSigner()).address, systemProgram, new Uint8Array(165))
const open = [
  {
    programAddress: systemProgram,
    accounts: [signs(payer), signs(opened)],
    data: Uint8Array.of(0, 0, 0, 0, ...u64(rent), ...u64(165n), ...bytesOf(tokenPrograms.token)),
  },
  {
    programAddress: tokenPrograms.token,
    accounts: [
      { address: opened.address, role: WRITABLE },
      { address: usdc, role: READONLY },
    ],
    data: Uint8Array.of(18, ...bytesOf(merchant.address)), // InitializeAccount3
  },
]

const scenarios = {
  SOL: [pay(payer, merchant.address, owed)],
  USDC: [payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, dollars)],
  'USDC into two accounts, one of them new': [
    ...open,
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, 750_000n),
    payTokens(tokenPrograms.token, inUSDC.payer, opened.address, payer, dollars - 750_000n),
  ],
  failed: [pay(payer, merchant.address, owed), pay(payer, merchant.address, 1_000_000_000_000n)],
  'USDC that failed': [
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, dollars),
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, 1_000_000_000_000n),
  ],
  split: [pay(payer, merchant.address, owed), pay(payer, provider.address, 208_334n)],
  'USDC split': [
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, dollars),
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.provider, payer, 250_000n),
  ],
  'paid and taken back': [pay(payer, merchant.address, owed), pay(merchant, payer.address, owed)],
  'USDC paid and taken back': [
    payTokens(tokenPrograms.token, inUSDC.payer, inUSDC.merchant, payer, dollars),
    payTokens(tokenPrograms.token, inUSDC.merchant, inUSDC.payer, merchant, dollars),
  ],
  'one lamport short': [pay(payer, merchant.address, owed - 1n)],
  'another mint': [payTokens(tokenPrograms.token, inOther.payer, inOther.merchant, payer, dollars)],
  'another token program': [payTokens(tokenPrograms.token2022, in2022.payer, in2022.merchant, payer, dollars)],
  'to somebody else': [pay(payer, provider.address, owed)],
  dropped: [pay(payer, merchant.address, owed)],
}

const signatures = {}
for (const [name, instructions] of Object.entries(scenarios)) {
  signatures[name] = await chain.send({ payer, instructions, at })
}
// The recipient and a read-only account are only named in the lookup table.
const throughTable = pay(payer, merchant.address, owed)
throughTable.accounts.push({ address: clockSysvar, role: READONLY })
signatures['through a lookup table'] = await chain.send({
  payer,
  instructions: [throughTable, pay(payer, provider.address, 208_334n)],
  tables: { [table.address]: [clockSysvar, provider.address, merchant.address] },
  at,
})

const { url, close } = await chain.serve()
process.stdin.resume().on('end', close)
const addresses = Object.fromEntries(Object.entries(parties).map(([name, signer]) => [name, signer.address]))
process.stdout.write(JSON.stringify({ url, addresses, signatures }) + '\n')
