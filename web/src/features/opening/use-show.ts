import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { preload } from 'react-dom'
import { type OpeningDictionary, useOpeningT } from './texts'
import { errorText } from '@/i18n/error-text'
import { ApiError, unanswered } from '@/contract/error'
import type { Pack } from '@/contract/types'
import { shortPoints } from '@/lib/format'
import { noteOpened } from '@/lib/fast-mode'
import { playPackOpening } from '@/lib/sound'
import { toast } from '@/lib/toast'
import type { Attempt } from './attempt'
import { type Haul, haulOf } from './haul'
import { releaseOpen } from './open-lock'
import { isOver, pendingOrders, type Run, type Stop } from './run'
import type { RunControl } from './run-driver'
import { saveReport } from './save-report'
import { initialShow, revealStep, scheduledEvents, showReducer, timing } from './show-reducer'
import { forgetUnshown } from './unshown'
import { useAttempt } from './use-attempt'
import { useRun } from './use-run'
import { useSparks } from './use-sparks'

/** The start button was pressed. */
interface Started {
  attempt: Attempt
  quantity: number
}

/** The dialog's state and actions, from intro to results. */
export function useShow(pack: Pack, close: () => void) {
  const t = useOpeningT()
  const [show, dispatch] = useReducer(showReducer, initialShow)
  const [started, setStarted] = useState<Started | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const control = useRef<RunControl>(undefined)
  const latest = useRef<Run>(undefined)
  const attemptQuery = useAttempt(pack, show.stage === 'intro')
  const announce = useAnnounceOnce()
  const mounted = useMounted()
  const fail = useFailToast()
  const reportFault = useFaultToast()

  const perform = useRun()

  function startRun({ attempt, quantity }: Started) {
    // The dialog may be closed, or show another run by now.
    const isShown = () => mounted.current && control.current === own
    const own = perform(attempt, quantity, {
      onChange: (now) => {
        latest.current = now
        if (isShown()) setRun(now)
      },
      onShowable: (over) => {
        if (over.stop?.kind === 'unanswered') releaseOpen(over.attempt.commitment)
        const haul = haulOf(over.opened)
        const repeated = over.repeated && over.opened.length === 1
        for (const { imageUrl } of haul.items) preload(imageUrl, { as: 'image' })
        if (over.opened.length === 0 && over.stop?.kind !== 'fault') {
          if (mounted.current) close()
          if (over.stop) fail(over.stop)
        } else if (mounted.current) dispatch({ type: 'answer', haul, repeated })
        else if (isOver(over)) announce(haul, repeated, true)
      },
      onOver: (over) => {
        const haul = haulOf(over.opened)
        const voided = over.opened.filter(({ state }) => state === 'void')
        for (const opening of voided) {
          forgetUnshown(opening)
          releaseOpen(opening.commitment)
        }
        if (mounted.current) dispatch({ type: 'more', haul })
        else if (haul.openings.length > 0) announce(haul, over.repeated && over.opened.length === 1, true)
        else if (voided.length > 0) {
          const { toast: title, sealed } = t.opening
          const total = voided.reduce((sum, { priceCents }) => sum + priceCents, 0)
          toast({ title: title.voided, description: sealed.voided(voided.length, shortPoints(total)) })
        }
      },
      onEnded: (ended) => {
        if (ended.stop?.kind === 'fault' && !isShown()) reportFault(ended.stop, ended)
      },
    })
    control.current = own
  }

  useEffect(() => {
    if (show.stage !== 'animation' || !started) return
    const timer = setTimeout(() => startRun(started), timing.request)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- `startRun` is new with each render and must not restart the timer
  }, [show.stage, started])
  // Leaving the dialog opens no further pack.
  useEffect(
    () => () => {
      control.current?.leave()
      if (!latest.current || isOver(latest.current) || pendingOrders(latest.current).length === 0) return
      const { ordered, orderedText, view } = t.opening.toast
      toast({ title: ordered, description: orderedText, link: { to: '/my-opens', text: view } })
    },
    // oxlint-disable-next-line react/exhaustive-deps -- only when the dialog is left
    [],
  )

  const { stage, revealed, haul, repeated, sealed } = show
  // The response arrives during the animation and must not restart its timers.
  const all = stage === 'reveal' ? (haul?.items.length ?? 0) : 0
  const step = stage === 'reveal' && haul ? revealStep(haul) : undefined
  const torn = sealed && show.torn
  useEffect(() => {
    const events = scheduledEvents({ stage, revealed, sealed, torn }, all, step)
    const timers = events.map(([after, event]) => setTimeout(dispatch, after, event))
    return () => timers.forEach(clearTimeout)
  }, [stage, revealed, sealed, torn, all, step])

  useEffect(() => {
    if (stage === 'results' && haul) announce(haul, repeated, false)
  }, [stage, haul, repeated, announce])

  // The dialog may unmount before the results are shown, for example by the back button.
  useEffect(() => (haul ? () => announce(haul, repeated, true) : undefined), [haul, repeated, announce])

  useSparks(show)

  return {
    show,
    run,
    attemptQuery,
    start: (quantity: number, wantsSealed = pack.sealed !== undefined) => {
      const { attempt } = attemptQuery
      if (!attempt) return
      // A repeated request stays as it was sent.
      const isSealed = attempt.sent ? (attempt.sealed ?? false) : wantsSealed
      latest.current = undefined
      setRun(null)
      control.current = undefined
      // A repeated attempt may have been opened already: it counts alone.
      setStarted({ attempt: { ...attempt, sealed: isSealed }, quantity: attempt.sent ? 1 : quantity })
      dispatch({ type: 'start', quantity, sealed: isSealed })
      noteOpened()
      playPackOpening()
    },
    skip: () => dispatch({ type: 'skip' }),
    /** Shows what has been opened instead of waiting for an answer. */
    stopWaiting: () => control.current?.leave(),
    again: () => {
      setRun(null)
      control.current = undefined
      dispatch({ type: 'reset' })
    },
    leave: close,
  }
}

/** Shows the "Pack Opened!" toast once per haul, with a link to the result if the dialog is gone. */
function useAnnounceOnce(): (haul: Haul, repeated: boolean, gone: boolean) => void {
  const t = useOpeningT().opening.toast
  const last = useRef<string>(undefined)
  return useCallback(
    (haul, repeated, gone) => {
      const lastId = haul.openings.at(-1)?.openId
      if (lastId === undefined) return
      const id = `${haul.openings.length} ${lastId}`
      if (last.current === id) return
      last.current = id
      for (const opening of haul.openings) {
        forgetUnshown(opening)
        releaseOpen(opening.commitment)
      }
      toast({
        title: repeated ? t.repeated : t.opened,
        description: repeated ? t.repeatedText : t.pulled(haul.items.length),
        ...(gone && { link: { to: '/my-opens', text: t.view } }),
      })
    },
    [t],
  )
}

function useFailToast(): (stop: Stop) => void {
  const t = useOpeningT()
  return (stop) =>
    toast({
      title: t.opening.toast.error,
      description: stopText(stop, t),
      variant: 'destructive',
    })
}

/** Reports a fault that was found when the dialog no longer showed its run. */
function useFaultToast(): (stop: Stop, run: Run) => void {
  const t = useOpeningT()
  const { faultTitle, saveReport: text } = t.opening.run
  return (stop, run) =>
    toast({
      title: faultTitle,
      description: stopText(stop, t),
      variant: 'destructive',
      stays: true,
      action: { text, onPress: () => saveReport(run) },
    })
}

/** Says why a run stopped, and what happened to the money of its last open. */
export function stopText(stop: Stop, t: OpeningDictionary): string {
  const { run, toast: texts } = t.opening
  switch (stop.kind) {
    case 'refused':
      if (stop.error instanceof ApiError && stop.error.code === 'internal') return texts.internal
      return unanswered(stop.error) ? texts.unanswered : errorText(stop.error, t)
    case 'unanswered':
      return texts.unanswered
    case 'repeated':
      return run.repeated
    case 'unchecked':
      return run.unchecked
    case 'fault':
      return run.faults[stop.fault.kind]
    case 'left':
      return ''
  }
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
