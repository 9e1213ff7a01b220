import { Link } from '@tanstack/react-router'
import { cn } from '@/lib/cn'
import { adminTexts } from './texts'

/** Splits "pack 7" into the translated kind and the id. */
export function subjectParts(subject: string, kinds: Readonly<Record<string, string>>): [kind: string, id: string] {
  const [, kind = subject, id = ''] = /^(\S+)(?: (.+))?$/.exec(subject) ?? []
  return [Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : kind, id]
}

/** Older acts name a user by their address. */
const userId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id or address of the user that a subject names; undefined for other subjects. */
export function userOf(subject: string): { id?: string; walletAddress?: string } | undefined {
  const [, user] = /^user (.+)$/.exec(subject) ?? []
  if (user === undefined) return undefined
  return userId.test(user) ? { id: user } : { walletAddress: user }
}

/** The subject of an act or request, such as "Pack 7". */
export function Subject({ of, className }: { of: string; className?: string }) {
  const [kind, id] = subjectParts(of, adminTexts.useT().admin.subjects)
  return (
    <span className={cn('min-w-0 text-xs break-words text-muted-foreground', className)}>
      <span>{kind}</span>{' '}
      {of.startsWith('user ') && userId.test(id) ? (
        <Link
          to="/admin/users/$userId"
          params={{ userId: id }}
          className="rounded-sm font-mono break-all underline underline-offset-4"
        >
          {id}
        </Link>
      ) : (
        id && <span className="font-mono break-all">{id}</span>
      )}
    </span>
  )
}
