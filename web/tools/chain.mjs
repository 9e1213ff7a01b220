// A fake Solana node for tests: LiteSVM behind the JSON-RPC methods that the server uses. Tests finalize transactions
// themselves. A transaction's balance changes are read from the runtime before and after it.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getAddressDecoder,
  getAddressEncoder,
  getBase58Decoder,
  getSignatureFromTransaction,
  getU64Decoder,
  lamports,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { Clock, FailedTransactionMetadata, LiteSVM } from 'litesvm'

export const tokenPrograms = {
  token: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  token2022: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
}
const lookupProgram = address('AddressLookupTab1e1111111111111111111111111')

const bytesOf = (key) => getAddressEncoder().encode(key)
const keyAt = (data, offset) => getAddressDecoder().decode(data, offset)
const u64At = (data, offset) => getU64Decoder().decode(data, offset)
const base58 = (bytes) => getBase58Decoder().decode(bytes)

/** A chain with accounts that tests create and transactions that they send. */
export class Chain {
  #runtime = new LiteSVM()
  #seen = new Map() // signature → { record, state: 'confirmed' | 'finalized' | 'dropped' }

  /** Airdrops lamports to an account. */
  fund(key, amount) {
    this.#runtime.airdrop(key, lamports(amount))
  }

  /** Creates or overwrites an account and returns its rent in lamports. */
  put(key, programAddress, data) {
    const rent = this.#runtime.minimumBalanceForRentExemption(BigInt(data.length))
    const account = { address: key, programAddress, data, lamports: lamports(rent), executable: false }
    this.#runtime.setAccount({ ...account, space: BigInt(data.length) })
    return rent
  }

  /** Creates a mint with 6 decimals, without supply or authority. */
  putMint(key, program) {
    const data = new Uint8Array(82)
    data[44] = 6
    data[45] = 1 // initialized
    this.put(key, program, data)
  }

  /** Creates a token account of an owner with an amount of a mint. */
  putTokens(key, program, mint, owner, amount) {
    const data = new Uint8Array(165)
    data.set(bytesOf(mint), 0)
    data.set(bytesOf(owner), 32)
    new DataView(data.buffer).setBigUint64(64, amount, true)
    data[108] = 1 // initialized
    this.put(key, program, data)
  }

  /** Creates an address lookup table, old enough to be used. */
  putTable(key, addresses) {
    const data = new Uint8Array(56 + 32 * addresses.length)
    const view = new DataView(data.buffer)
    view.setUint32(0, 1, true)
    view.setBigUint64(4, 2n ** 64n - 1n, true) // never closed
    addresses.forEach((one, i) => data.set(bytesOf(one), 56 + 32 * i))
    this.put(key, lookupProgram, data)
  }

  /** Signs and runs a transaction and returns its signature. It is confirmed even if it fails. */
  async send({ payer, instructions, tables, at }) {
    let message = setTransactionMessageFeePayerSigner(
      payer,
      createTransactionMessage({ version: tables ? 0 : 'legacy' }),
    )
    message = appendTransactionMessageInstructions(instructions, message)
    if (tables) message = compressTransactionMessageUsingAddressLookupTables(message, tables)
    this.#runtime.expireBlockhash() // equal transactions in one slot would have the same signature
    message = this.#runtime.setTransactionMessageLifetimeUsingLatestBlockhash(message)
    const compiled = compileTransactionMessage(message)
    const signed = await signTransactionMessageWithSigners(message)
    const { slot, epoch } = this.#runtime.getClock()
    this.#runtime.setClock(new Clock(slot + 1n, 0n, epoch, epoch, at))
    const loaded = loadedBy(compiled, tables)
    const keys = [...compiled.staticAccounts, ...loaded.writable, ...loaded.readonly]
    const before = this.#balances(keys)
    const outcome = this.#runtime.sendTransaction(signed)
    const record = this.#record(signed, compiled, loaded, outcome, before, this.#balances(keys))
    const signature = getSignatureFromTransaction(signed)
    this.#seen.set(signature, { record, state: 'confirmed' })
    return signature
  }

  #balances(keys) {
    const accounts = keys.map((key) => this.#runtime.getAccount(key))
    return {
      lamports: accounts.map((account) => (account.exists ? Number(account.lamports) : 0)),
      tokens: accounts.flatMap((account, accountIndex) => {
        const held = account.exists && Object.values(tokenPrograms).includes(account.programAddress)
        return held && account.data.length === 165 ? [this.#holding(account, accountIndex)] : []
      }),
    }
  }

  #holding({ data, programAddress }, accountIndex) {
    const mint = keyAt(data, 0)
    const decimals = this.#runtime.getAccount(mint).data[44]
    const amount = u64At(data, 64)
    const uiAmount = Number(amount) / 10 ** decimals
    const uiTokenAmount = { amount: `${amount}`, decimals, uiAmount, uiAmountString: `${uiAmount}` }
    return { accountIndex, mint, owner: keyAt(data, 32), programId: programAddress, uiTokenAmount }
  }

  #record(signed, compiled, loadedAddresses, outcome, before, after) {
    const failed = outcome instanceof FailedTransactionMetadata
    const clock = this.#runtime.getClock()
    const err = failed ? { InstructionError: [outcome.err().index, { Custom: outcome.err().err().code }] } : null
    return {
      slot: Number(clock.slot),
      blockTime: Number(clock.unixTimestamp),
      version: compiled.version,
      meta: {
        err,
        status: failed ? { Err: err } : { Ok: null },
        fee: 5000 * compiled.header.numSignerAccounts,
        preBalances: before.lamports,
        postBalances: after.lamports,
        preTokenBalances: before.tokens,
        postTokenBalances: after.tokens,
        innerInstructions: [],
        logMessages: (failed ? outcome.meta() : outcome).logs(),
        loadedAddresses,
        rewards: [],
      },
      transaction: {
        signatures: Object.values(signed.signatures).map(base58),
        message: {
          accountKeys: compiled.staticAccounts,
          header: {
            numRequiredSignatures: compiled.header.numSignerAccounts,
            numReadonlySignedAccounts: compiled.header.numReadonlySignerAccounts,
            numReadonlyUnsignedAccounts: compiled.header.numReadonlyNonSignerAccounts,
          },
          instructions: compiled.instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
            programIdIndex: programAddressIndex,
            accounts: accountIndices,
            data: base58(data),
            stackHeight: 1,
          })),
          recentBlockhash: compiled.lifetimeToken,
        },
      },
    }
  }

  /** The node's response to a call: a result, or an error with its code. */
  answer(method, [signature, options = {}]) {
    const seen = this.#seen.get(signature)
    switch (method) {
      case 'getTransaction':
        return transactionAt(seen, options)
      case 'finalize': // for tests; not a method of real nodes
        seen.state = 'finalized'
        return { result: true }
      case 'drop':
        seen.state = 'dropped'
        return { result: true }
      default:
        return { error: { code: -32601, message: 'Method not found' } }
    }
  }

  /** Serves the node on a free port and returns its URL. */
  async serve() {
    const server = createServer(async (request, response) => {
      const { id, method, params } = JSON.parse(await text(request))
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', ...this.answer(method, params), id }))
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close().closeAllConnections() }
  }
}

function transactionAt(seen, { commitment = 'finalized', encoding, maxSupportedTransactionVersion }) {
  if (encoding !== 'json' || !['confirmed', 'finalized'].includes(commitment)) {
    return { error: { code: -32602, message: 'Invalid params' } }
  }
  if (!seen || seen.state === 'dropped' || (seen.state === 'confirmed' && commitment === 'finalized')) {
    return { result: null }
  }
  if (seen.record.version !== 'legacy' && maxSupportedTransactionVersion !== seen.record.version) {
    return { error: { code: -32015, message: 'Transaction version (0) is not supported by the requesting client.' } }
  }
  return { result: seen.record }
}

/** The addresses that a transaction loads from lookup tables, in the runtime's order. */
function loadedBy({ addressTableLookups = [] }, tables) {
  const from = (indices) =>
    addressTableLookups.flatMap((lookup) => lookup[indices].map((i) => tables[lookup.lookupTableAddress][i]))
  return { writable: from('writableIndexes'), readonly: from('readonlyIndexes') }
}
