export type PhaseStatus = 'completed' | 'in-progress' | 'planned'

interface Phase {
  title: string
  timeline: string
  status: PhaseStatus
  /** What the phase brings, and whether it is there. */
  checklist: { text: string; done: boolean }[]
}

const done = (text: string) => ({ text, done: true })
const open = (text: string) => ({ text, done: false })

const phases: Phase[] = [
  {
    title: 'Phase 1 beta',
    timeline: '2025 Q3',
    status: 'completed',
    checklist: [
      done('Core pack opening'),
      done('Demo marketplace'),
      done('User authentication'),
      done('Collection series'),
    ],
  },
  {
    title: 'Phase 2',
    timeline: '2025 Q3 to Q4',
    status: 'in-progress',
    checklist: [
      open('Token buyback'),
      open('Trading system'),
      done('User profiles and collections'),
      done('Leaderboard'),
      done('More pack types'),
    ],
  },
  {
    title: 'Phase 3',
    timeline: '2026 Q1',
    status: 'planned',
    checklist: [open('Social features and chat'), open('Live pack opening'), open('Affiliate program'), open('Mobile app')],
  },
  {
    title: 'Phase 4',
    timeline: '2026 Q1 to Q2',
    status: 'planned',
    checklist: [
      open('Card battles and mini games'),
      open('NFT integration'),
      open('Advanced analytics'),
      open('Affiliate pack creation'),
    ],
  },
]

export const roadmap = {
  title: 'Roadmap',
  text: 'What is there, what is being built, and what comes next.',
  phases,
  status: { completed: 'completed', 'in-progress': 'in progress', planned: 'planned' } satisfies Record<PhaseStatus, string>,
  progress: (phase: string) => `Progress of ${phase}`,
  share: (there: number, all: number) => `${there} of ${all}`,
  itemDone: 'Done',
  itemOpen: 'Not yet',
  feedbackTitle: 'What should come next?',
  feedbackText: 'Tell us what you miss. Collectors decide what we build first.',
  feedback: 'Give feedback',
}
