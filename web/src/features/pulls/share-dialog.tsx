import { useQuery } from '@tanstack/react-query'
import { Copy, Download, Image, Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import { openQuery } from '@/api/opens'
import { sharedPullQuery, usePreviewReady, useSharePull } from '@/api/pulls'
import { ApiError } from '@/contract/error'
import type { Opening } from '@/contract/types'
import { useLanguage, useT } from '@/i18n'
import { errorText } from '@/i18n/error-text'
import { usePackName } from '@/i18n/names'
import { dollars } from '@/lib/format'
import { useSignedIn } from '@/lib/session'
import { canShareLinks, copyText, shareLink } from '@/lib/share'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogHeader } from '@/components/ui/dialog'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Switch } from '@/components/ui/switch'
import { pullsTexts } from './texts'

/** The fields that the dialog needs of an open. */
export type ShareableOpen = Pick<Opening, 'openId' | 'packName' | 'items' | 'totalValueCents'> & { packNameZh?: string }

interface ShareDialogProps {
  /** At least one. */
  openings: readonly ShareableOpen[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Shares one of the visitor's pulls by link, or stops sharing it. */
export default function ShareDialog({ openings, open, onOpenChange }: ShareDialogProps) {
  const t = pullsTexts.useT().share
  const [best] = openings.toSorted((a, b) => b.totalValueCents - a.totalValueCents)
  const [chosenId, setChosenId] = useState<string>()
  const chosen = openings.find(({ openId }) => openId === chosenId) ?? best
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-lg">
        <DialogHeader title={t.title} text={t.text} />
        {openings.length > 1 && chosen && (
          <PullChoice openings={openings} chosen={chosen.openId} onChoose={setChosenId} />
        )}
        {chosen && <Sharing key={chosen.openId} opening={chosen} />}
      </DialogContent>
    </Dialog>
  )
}

interface PullChoiceProps {
  openings: readonly ShareableOpen[]
  /** Its open id. */
  chosen: string
  onChoose: (openId: string) => void
}

/** One of several opens, each named by its best card. */
function PullChoice({ openings, chosen, onChoose }: PullChoiceProps) {
  const t = pullsTexts.useT().share
  const id = useId()
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t.which}
      </label>
      <Select id={id} value={chosen} onChange={({ currentTarget: { value } }) => onChoose(value)}>
        {openings.map(({ openId, items, totalValueCents }) => (
          <option key={openId} value={openId}>
            {t.choice(bestOf(items)?.name ?? '', dollars(totalValueCents))}
          </option>
        ))}
      </Select>
    </div>
  )
}

const bestOf = (items: ShareableOpen['items']) => items?.toSorted((a, b) => b.baseValueCents - a.baseValueCents)[0]

function Sharing({ opening }: { opening: ShareableOpen }) {
  const t = pullsTexts.useT().share
  const signedIn = useSignedIn()
  const query = useQuery({ ...openQuery(opening.openId), enabled: signedIn })
  return (
    <Loaded query={query} failed={t.loadFailed} skeleton={<Skeleton className="h-96 rounded-xl" />}>
      {({ shared }) => <Controls opening={opening} shared={shared} />}
    </Loaded>
  )
}

function Controls({ opening, shared }: { opening: ShareableOpen; shared: boolean }) {
  const texts = useT()
  const t = pullsTexts.useT().share
  const language = useLanguage()
  const sharing = useSharePull({
    onError: (error) => toast({ title: t.failed, description: errorText(error, texts), variant: 'destructive' }),
  })
  const { openId } = opening
  const { data, error } = useQuery({ ...sharedPullQuery(openId), enabled: shared })
  // The server shows it to nobody while its owner is on a break, frozen or hidden by a moderator.
  const hidden = shared && error instanceof ApiError && error.status === 404
  const visible = shared && !hidden
  const drawn = visible ? data?.previewUrl : undefined
  const previewUrl = usePreviewReady(drawn) ? drawn : undefined
  return (
    <div className="space-y-4">
      <p role="status" className="sr-only">
        {drawn && !previewUrl && t.previewDrawing}
      </p>
      {!hidden && <Preview url={previewUrl} loading={shared || sharing.isPending} />}
      <Switch
        label={t.on}
        hint={hidden ? t.hidden : shared ? t.after : t.before}
        checked={sharing.isPending ? sharing.variables.shared : shared}
        busy={sharing.isPending}
        onChange={(on) => sharing.mutate({ openId, shared: on, language })}
      />
      <ShareActions opening={opening} visible={visible} previewUrl={previewUrl} />
    </div>
  )
}

function Preview({ url, loading }: { url: string | undefined; loading: boolean }) {
  const t = pullsTexts.useT().share
  const [failed, setFailed] = useState<string>()
  const box = 'aspect-[1200/630] w-full rounded-xl'
  if (url && url !== failed) {
    return (
      <img
        src={url}
        alt={t.preview}
        width={1200}
        height={630}
        onError={() => setFailed(url)}
        className={`${box} border border-line bg-muted`}
      />
    )
  }
  if (loading && !url) return <Skeleton className={box} />
  return (
    <div
      className={`${box} grid place-content-center justify-items-center gap-2 border border-dashed border-line-strong px-6 text-center text-sm text-muted-foreground`}
    >
      <Image aria-hidden className="size-6" />
      <p>{url ? t.previewFailed : t.previewLater}</p>
    </div>
  )
}

interface ShareActionsProps {
  opening: ShareableOpen
  /** Whether others can see the pull. */
  visible: boolean
  previewUrl: string | undefined
}

function ShareActions({ opening, visible, previewUrl }: ShareActionsProps) {
  const t = pullsTexts.useT().share
  const packName = usePackName()
  const link = `${location.origin}/pull/${opening.openId}`
  const saveText = (
    <>
      <Download aria-hidden />
      <span>{t.save}</span>
    </>
  )
  return (
    <div className="flex flex-wrap gap-2 *:grow">
      <Button disabled={!visible} onClick={() => void copyText(link, t.copied, t.copyFailed)}>
        <Copy aria-hidden />
        <span>{t.copyLink}</span>
      </Button>
      {previewUrl ? (
        <Button asChild variant="secondary">
          <a href={previewUrl} download={`kaibao-${opening.openId}.png`}>
            {saveText}
          </a>
        </Button>
      ) : (
        <Button variant="secondary" disabled>
          {saveText}
        </Button>
      )}
      {canShareLinks() && (
        <Button
          variant="secondary"
          disabled={!visible}
          onClick={() => void shareLink(t.sendTitle(packName(opening)), link)}
        >
          <Share2 aria-hidden />
          <span>{t.send}</span>
        </Button>
      )}
    </div>
  )
}
