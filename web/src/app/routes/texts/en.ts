export const checkout = {
  title: 'Checkout',
  loading: 'Loading the pack…',
  notFound: 'Pack Not Found',
  notFoundText: "The pack you're trying to purchase could not be found.",
  notConfigured: 'Payment Not Configured',
  notConfiguredText: 'Payment processing is not currently set up. Please contact an administrator.',
  goBack: 'Go back',
  failed: 'Failed to fetch pack details',
}

export const labubus = {
  title: 'Labubu collection',
  text: 'Long ears, sharp teeth and blind boxes. Three series, a deluxe collection and a few secrets.',
  explore: 'Explore Labubus',
  video: 'Boxed Labubu toys slowly turning under a light',
}

export const roadmap = {
  title: 'Roadmap',
  text: 'What’s live, what we’re building, and what’s next.',
  phases: [
    {
      title: 'Phase 1 beta',
      timeline: '2025 Q3',
      checklist: ['Core pack opening', 'Demo marketplace', 'User authentication', 'Collection series'],
    },
    {
      title: 'Phase 2',
      timeline: '2025 Q3 to Q4',
      checklist: ['Token buyback', 'Trading system', 'User profiles and collections', 'Leaderboard', 'More pack types'],
    },
    {
      title: 'Phase 3',
      timeline: '2026 Q1',
      checklist: ['Social features and chat', 'Live pack opening', 'Affiliate program', 'Mobile app'],
    },
    {
      title: 'Phase 4',
      timeline: '2026 Q1 to Q2',
      checklist: ['Card battles and mini games', 'NFT integration', 'Advanced analytics', 'Affiliate pack creation'],
    },
  ],
  status: { completed: 'Completed', 'in-progress': 'In progress', planned: 'Planned' },
  progress: (phase: string) => `${phase} progress`,
  share: (done: number, all: number) => `${done} of ${all} done`,
  late: 'Behind schedule',
  itemDone: 'Done',
  itemOpen: 'Not done yet',
  feedbackTitle: 'What should come next?',
  feedbackText: 'Tell us what’s missing. Collectors decide what we build first.',
  feedback: 'Send feedback',
}
