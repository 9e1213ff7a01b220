import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Leader, Ranking } from '@/contract/types'
import { api, read, readTotal } from './client'
import { keys } from './keys'

/** The top of a ranking, and the number of ranked users. */
export interface Leaderboard {
  leaders: readonly Leader[]
  competitors: number
}

const maxLeaders = 100

export function leaderboardQuery(ranking: Ranking) {
  return queryOptions({
    queryKey: [...keys.leaderboard, ranking],
    queryFn: async ({ signal }): Promise<Leaderboard> => {
      const call = api.GET('/api/leaderboard', { params: { query: { ...ranking, limit: maxLeaders } }, signal })
      return { leaders: await read(call), competitors: await readTotal(call) }
    },
  })
}

export function useLeaderboard(ranking: Ranking) {
  return useQuery(leaderboardQuery(ranking))
}

function myRankQuery(ranking: Ranking) {
  return queryOptions({
    queryKey: [...keys.leaderboard, 'me', ranking],
    queryFn: ({ signal }) => read(api.GET('/api/leaderboard/me', { params: { query: ranking }, signal })),
  })
}

/** The visitor's rank. */
export function useMyRank(ranking: Ranking, signedIn: boolean) {
  return useQuery({ ...myRankQuery(ranking), enabled: signedIn })
}
