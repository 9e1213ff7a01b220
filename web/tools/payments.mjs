// Payments on a Solana runtime, for the test of internal/deposits/solana: runs them, prints where they
// can be read and what they are, and serves until its input ends.
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

/** Lamports from one account to another. */
const pay = (from, to, amount) => ({
  programAddress: systemProgram,
  accounts: [signs(from), { address: to, role: WRITABLE }],
  data: Uint8Array.of(2, 0, 0, 0, ...u64(amount)),
})

/** Tokens from one token account to another, signed for by the owner of the first. */
const payTokens = (program, from, to, owner, amount) => ({
  programAddress: program,
  accounts: [{ address: from, role: WRITABLE }, { address: to, role: WRITABLE }, signs(owner, READONLY_SIGNER)],
  data: Uint8Array.of(3, ...u64(amount)),
})

const people = {}
for (const name of ['payer', 'merchant', 'provider', 'mint', 'mint2022', 'opened', 'table']) {
  people[name] = await generateKeyPairSigner()
}
const { payer, merchant, provider, mint, mint2022, opened, table } = people

const chain = new Chain()
chain.fund(payer.address, 10_000_000_000n)
chain.fund(merchant.address, 1_000_000_000n)
chain.fund(provider.address, 1_000_000_000n)
chain.putTable(table.address, [clockSysvar, provider.address, merchant.address])

/** A mint, and accounts of payer, merchant and provider for it. */
async function market(mintAddress, program) {
  chain.putMint(mintAddress, program)
  const accounts = {}
  for (const [name, owner] of Object.entries({ payer, merchant, provider })) {
    accounts[name] = (await generateKeyPairSigner()).address
    chain.putTokens(accounts[name], program, mintAddress, owner.address, 1_000_000_000n)
  }
  return accounts
}
const inUSDC = await market(usdc, tokenPrograms.token)
const inOther = await market(mint.address, tokenPrograms.token)
const in2022 = await market(mint2022.address, tokenPrograms.token2022)

/** A new token account of the merchant's, in the payment's own transaction. */
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
// The recipient is named by the table alone; so is an account that is only read.
const looked = pay(payer, merchant.address, owed)
looked.accounts.push({ address: clockSysvar, role: READONLY })
signatures['through a lookup table'] = await chain.send({
  payer,
  instructions: [looked, pay(payer, provider.address, 208_334n)],
  tables: { [table.address]: [clockSysvar, provider.address, merchant.address] },
  at,
})

const { url, close } = await chain.serve()
process.stdin.resume().on('end', close)
const addresses = Object.fromEntries(Object.entries(people).map(([name, signer]) => [name, signer.address]))
process.stdout.write(JSON.stringify({ url, addresses, signatures }) + '\n')
