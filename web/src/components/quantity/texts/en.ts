export const quantity = {
  label: 'Number of packs',
  choice: (n: number) => `×${n}`,
  packs: (n: number) => (n === 1 ? '1 pack' : `${n} packs`),
  blocked: (n: number, why: string) => `×${n}: ${why}`,
  why: {
    wait: (seconds: number) => `packs open one at a time, ${seconds} s apart.`,
    supply: (left: number) => (left === 1 ? 'only 1 pack left.' : `only ${left} packs left.`),
    balance: (missing: string) => `you need ${missing} more Play Points.`,
    lossLimit: (left: string) => `your loss limit allows ${left} more points.`,
    opensDay: (left: number) => `you can open ${left} more today (house rules).`,
    spendDay: (left: string) => `you can spend ${left} more points today (house rules).`,
  },
}
