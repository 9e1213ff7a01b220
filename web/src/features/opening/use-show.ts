import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { preload } from 'react-dom'
import { type OpeningDictionary, useOpeningT } from './texts'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import type { Opening, Pack } from '@/contract/types'
import { playPackOpening } from '@/lib/sound'
import { toast } from '@/lib/toast'
import { type Attempt, requestOf } from './attempt'
import { scheduledEvents, initialShow, showReducer, timing } from './show-reducer'
import { releaseOpen } from './open-lock'
import { useAttempt } from './use-attempt'
import { forgetUnshown } from './unshown'
import { useOpenPack } from './use-open-pack'
import { useSparks } from './use-sparks'

/** The dialog's state and actions, from intro to results. */
export function useShow(pack: Pack, close: () => void) {
  const [show, dispatch] = useReducer(showReducer, initialShow)
  const [sealed, setSealed] = useState<Attempt | null>(null)
  const attemptQuery = useAttempt(pack, show.stage === 'intro')
  const announce = useAnnounceOnce()
  const mounted = useMounted()
  const fail = useFailToast()

  const { mutate } = useOpenPack({
    onDone: ({ result, repeated }) => {
      for (const { imageUrl } of result.items) preload(imageUrl, { as: 'image' })
      // If the dialog has been closed, a toast reports the result.
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
    const timer = setTimeout(() => mutate(requestOf(sealed)), timing.request)
    return () => clearTimeout(timer)
  }, [show.stage, sealed, mutate])

  const { stage, revealed } = show
  // The response arrives during the animation and must not restart its timers.
  const all = stage === 'reveal' ? (show.opening?.items.length ?? 0) : 0
  useEffect(() => {
    const timers = scheduledEvents({ stage, revealed }, all).map(([after, event]) => setTimeout(dispatch, after, event))
    return () => timers.forEach(clearTimeout)
  }, [stage, revealed, all])

  const { opening, repeated } = show
  useEffect(() => {
    if (stage === 'results' && opening) announce(opening, repeated, false)
  }, [stage, opening, repeated, announce])

  // The dialog may unmount before the results are shown, for example by the back button.
  useEffect(() => (opening ? () => announce(opening, repeated, true) : undefined), [opening, repeated, announce])

  useSparks(show)

  return {
    show,
    attemptQuery,
    start: () => {
      if (!attemptQuery.attempt) return
      setSealed(attemptQuery.attempt)
      dispatch({ type: 'start' })
      playPackOpening()
    },
    skip: () => dispatch({ type: 'skip' }),
    again: () => dispatch({ type: 'reset' }),
    leave: close,
  }
}

/** Shows the "Pack Opened!" toast once per open, with a link to the result if the dialog is gone. */
function useAnnounceOnce(): (opening: Opening, repeated: boolean, gone: boolean) => void {
  const t = useOpeningT().opening.toast
  const last = useRef<string>(undefined)
  return useCallback(
    (opening, repeated, gone) => {
      if (last.current === opening.openId) return
      last.current = opening.openId
      forgetUnshown(opening)
      releaseOpen(opening.commitment)
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

/** Says what happened to the money. If the outcome is unknown, the same attempt can be repeated. */
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
