import { dollars } from '@/lib/format'

/** 2500 → "$25", 1890 → "$18.90": for sentences, where ".00" would be noise. */
export function dollarAmount(cents: number): string {
  return dollars(cents).replace(/\.00$/, '')
}
