import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { logWitnessesQuery } from '@/api/log'
import { usePolicy } from '@/api/trusted-witnesses'
import { Loaded } from '@/components/ui/loaded'
import { Skeleton } from '@/components/ui/skeleton'
import { proofsTexts } from './texts'

/** Who cosigns the log, as the log names them, and how many of them must. */
export function LogWitnesses() {
  const t = proofsTexts.useT().fairness.sealed.witnesses
  const witnesses = useQuery(logWitnessesQuery)
  return (
    <div className="panel rounded-2xl p-6">
      <h3 className="font-semibold">{t.title}</h3>
      <Loaded
        query={witnesses}
        failed={t.failed}
        inlineErrorClass="mt-3"
        skeleton={<Skeleton className="mt-2 h-16 rounded-lg" />}
      >
        {(text) =>
          text === '' ? (
            <p className="mt-2 text-sm text-pretty text-muted-foreground">{t.none}</p>
          ) : (
            <Named text={text} />
          )
        }
      </Loaded>
    </div>
  )
}

function Named({ text }: { text: string }) {
  const t = proofsTexts.useT().fairness.sealed.witnesses
  const policy = usePolicy(text).data
  if (!policy) return null
  const { quorum, witnesses } = policy
  return (
    <>
      <p className="mt-2 text-sm text-pretty text-muted-foreground">{t.quorum(quorum, witnesses.length)}</p>
      <ul className="mt-3 flex flex-wrap gap-2">
        {witnesses.map(({ name }) => (
          <li key={name} className="rounded-lg border border-line px-2.5 py-1 font-mono text-xs break-all">
            {name}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-pretty text-muted-foreground">
        <span>{t.chosen}</span>{' '}
        <Link to="/verify" className="text-gold-text underline underline-offset-4">
          {t.name}
        </Link>
      </p>
    </>
  )
}
