import { useMutationState } from '@tanstack/react-query'
import { useT } from '@/i18n'
import { ApiError } from '@/contract/error'
import { useSession } from '@/lib/session'
import { Button } from './button'
import { Content, Header } from './dialog-content'
import { crashTexts } from './texts'

type Texts = ReturnType<typeof crashTexts.useT>

/** Where the user sees the result of each act; the transactions for other acts. */
const results: Partial<Record<string, { link: keyof Texts['links']; href: string }>> = {
  open: { link: 'opens', href: '/my-opens' },
  buy: { link: 'collection', href: '/my-collection' },
  acceptCounter: { link: 'collection', href: '/my-collection' },
  list: { link: 'orders', href: '/orders' },
  reprice: { link: 'orders', href: '/orders' },
  delist: { link: 'orders', href: '/orders' },
  bid: { link: 'orders', href: '/orders' },
  changeBid: { link: 'orders', href: '/orders' },
  withdrawBid: { link: 'orders', href: '/orders' },
  counterBid: { link: 'orders', href: '/orders' },
  claim: { link: 'claims', href: '/claims' },
  cancelClaim: { link: 'claims', href: '/claims' },
}
const transactions = { link: 'balance', href: '/balance' } as const

interface Sent {
  act: string
  status: string
  error: unknown
}

/** Replaces a dialog that crashed: says what the server did since it opened, and links to the result. */
export default function DialogCrash({ openedAt, close }: { openedAt: number; close: () => void }) {
  const t = crashTexts.useT()
  const { shell } = useT()
  const { user } = useSession()
  const sent = useMutationState({
    filters: { predicate: ({ state }) => state.submittedAt >= openedAt },
    select: ({ options, state }): Sent => ({
      act: String(options.mutationKey?.[0]),
      status: state.status,
      error: state.error,
    }),
  }).at(-1)
  const { link, href } = (sent && results[sent.act]) ?? transactions
  return (
    <Content closeButton={false} aria-describedby={undefined}>
      <Header title={t.title} className="pr-0" />
      <p role="alert" className="text-sm text-muted-foreground">
        {outcome(sent, t)}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        {user && (
          // A full page load: the page may be broken, too, and some dialogs are outside the router.
          <Button asChild>
            <a href={href}>{t.links[link]}</a>
          </Button>
        )}
        <Button variant="secondary" onClick={close}>
          {shell.close}
        </Button>
      </div>
    </Content>
  )
}

function outcome(sent: Sent | undefined, t: Texts): string {
  if (!sent) return t.notSent
  if (sent.status === 'pending') return t.pending
  if (sent.status === 'success') return sent.act === 'open' ? t.opened : t.done
  const declined = sent.error instanceof ApiError && sent.error.status >= 400 && sent.error.status < 500
  return declined ? t.refused : t.unknown
}
