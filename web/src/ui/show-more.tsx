import { Button } from './button'
import { Spinner } from './spinner'

interface ShowMoreProps {
  text: string
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** Brings the next page of a list, as long as there is one. */
export function ShowMore({ text, list }: ShowMoreProps) {
  if (!list.hasNextPage) return null
  return (
    <div className="mt-8 flex justify-center">
      <Button variant="secondary" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage && <Spinner />}
        {text}
      </Button>
    </div>
  )
}
