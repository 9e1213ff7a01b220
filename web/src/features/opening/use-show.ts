import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { preload } from 'react-dom'
import { type OpeningDictionary, useOpeningT } from './texts'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import type { Opening, Pack } from '@/contract/types'
import { playPackOpening } from '@/lib/sound'
import { toast } from '@/lib/toast'
import { type Attempt, orderOf } from './attempt'
import { agenda, initialShow, play, timing } from './machine'
import { letGoOfOpen } from './open-lock'
import { useAttempt } from './use-attempt'
import { forgetUnshown } from './unshown'
import { useOpenPack } from './use-open-pack'
import { useSparks } from './use-sparks'

/** One visit to the dialog: the show, the attempt behind it, and what the visitor can do. */
export function useShow(pack: Pack, close: () => void) {
  const [show, dispatch] = useReducer(play, initialShow)
  const [sealed, setSealed] = useState<Attempt | null>(null)
  const entry = useAttempt(pack, show.stage === 'intro')
  const announce = useAnnounceOnce()
  const mounted = useMounted()
  const fail = useFailToast()

  const { mutate } = useOpenPack({
    onDone: ({ result, repeated }) => {
      for (const { imageUrl } of result.items) preload(imageUrl, { as: 'image' })
      // With the dialog closed meanwhile nothing is lost; the toast says what has happened.
      if (mounted.current) dispatch({ type: 'answer', opening: result, repeated })
      else announce(result, repeated, true)
    },
    onFailed: (error) => {
      if (mounted.current) close()
      fail(error)
    },
  })

  useEffect(() => {
    if (show.stage !== 'animation' || !sealed) return
    const timer = setTimeout(() => mutate(orderOf(sealed)), timing.request)
    return () => clearTimeout(timer)
  }, [show.stage, sealed, mutate])

  const { stage, revealed } = show
  // The answer comes in the middle of the animation and must not start its clock again.
  const all = stage === 'reveal' ? (show.opening?.items.length ?? 0) : 0
  useEffect(() => {
    const timers = agenda({ stage, revealed }, all).map(([after, event]) => setTimeout(dispatch, after, event))
    return () => timers.forEach(clearTimeout)
  }, [stage, revealed, all])

  const { opening, repeated } = show
  useEffect(() => {
    if (stage === 'results' && opening) announce(opening, repeated, false)
  }, [stage, opening, repeated, announce])

  // The dialog may go before its results are shown, by the browser's back button too.
  useEffect(() => (opening ? () => announce(opening, repeated, true) : undefined), [opening, repeated, announce])

  useSparks(show)

  return {
    show,
    entry,
    start: () => {
      if (!entry.attempt) return
      setSealed(entry.attempt)
      dispatch({ type: 'start' })
      playPackOpening()
    },
    skip: () => dispatch({ type: 'skip' }),
    again: () => dispatch({ type: 'reset' }),
    leave: close,
  }
}

/** "Pack Opened!", once for each open; with a link to the result where its dialog is gone. */
function useAnnounceOnce(): (opening: Opening, repeated: boolean, gone: boolean) => void {
  const t = useOpeningT().opening.toast
  const last = useRef<string>(undefined)
  return useCallback(
    (opening, repeated, gone) => {
      if (last.current === opening.openId) return
      last.current = opening.openId
      forgetUnshown(opening)
      letGoOfOpen(opening.commitment)
      toast({
        title: repeated ? t.repeated : t.opened,
        description: repeated ? t.repeatedText : t.pulled(opening.items.length),
        ...(gone && { link: { to: '/my-opens', text: t.view } }),
      })
    },
    [t],
  )
}

function useFailToast(): (error: Error) => void {
  const t = useOpeningT()
  return (error) =>
    toast({
      title: t.opening.toast.error,
      description: failText(error, t),
      variant: 'destructive',
    })
}

/** What has become of the money: where nobody can know, the same attempt can be made again. */
function failText(error: Error, t: OpeningDictionary): string {
  if (unanswered(error)) return t.opening.toast.unanswered
  if (error instanceof ApiError && error.code === 'internal') return t.opening.toast.internal
  return errorText(error, t)
}

function useMounted() {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return mounted
}
