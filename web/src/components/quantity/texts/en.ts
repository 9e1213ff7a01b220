export const quantity = {
  label: 'Number of packs',
  choice: (n: number) => `×${n}`,
  packs: (n: number) => (n === 1 ? '1 pack' : `${n} packs`),
  blocked: (n: number, why: string) => `×${n}: ${why}`,
  why: {
    wait: (seconds: number) => `one pack at a time here, ${seconds} s apart.`,
    supply: (left: number) => (left === 1 ? 'only 1 pack left.' : `only ${left} packs left.`),
    balance: (missing: string) => `you need ${missing} more Play Points.`,
    lossLimit: (left: string) => `your loss limit leaves ${left} points.`,
    opensDay: (left: number) => `house rules leave ${left} today.`,
    spendDay: (left: string) => `house rules leave ${left} points today.`,
  },
}
