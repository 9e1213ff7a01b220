import { describe, expect, it } from 'vitest'
import { someUser } from '@test/data'
import { userLines } from './user-lines'

describe('userLines', () => {
  it('prefers the first name', () => {
    expect(userLines({ ...someUser, firstName: 'Mei' }, null, 'User').name).toBe('Mei')
  })

  it('falls back to six and four characters of the address, with four and four below', () => {
    expect(userLines(someUser, null, 'User')).toEqual({ name: '7YkQv3...xKpL', secondary: '7YkQ...xKpL' })
  })

  it('shows the account the wallet is on now', () => {
    const other = `9${someUser.walletAddress.slice(1)}`
    expect(userLines(someUser, other, 'User').name).toBe('9YkQv3...xKpL')
  })

  it('falls back to a generic name without an address', () => {
    expect(userLines(null, null, 'User')).toEqual({ name: 'User', secondary: '' })
  })
})
