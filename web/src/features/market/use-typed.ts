import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useComposedText } from '@/lib/ime'

const pauseMs = 300

/**
 * A field whose text is handed on after a pause in typing, on Enter, and when the field is left. What is
 * being typed stays as it is while the value catches up; a value from elsewhere takes its place.
 * `clean` makes of the text what is handed on; a text of which it makes nothing waits to be corrected.
 */
export function useTyped(value: string, clean: (text: string) => string | undefined, handOn: (text: string) => void) {
  const [state, setState] = useState({ text: value, value, sent: value })
  const { text, sent } = state
  if (value !== state.value) setState({ text: value === sent ? text : value, value, sent: value })

  function send() {
    const cleaned = clean(text)
    if (cleaned === undefined || cleaned === sent) return
    setState((current) => ({ ...current, sent: cleaned }))
    handOn(cleaned)
  }

  const composed = useComposedText(text)
  const rest = useEffectEvent((typed: string) => typed === text && send())
  useEffect(() => {
    const timer = setTimeout(() => rest(composed), pauseMs)
    return () => clearTimeout(timer)
  }, [composed])

  return {
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
      setState((current) => ({ ...current, text: currentTarget.value })),
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && send(),
    onBlur: () => {
      send()
      setState((current) => ({ ...current, text: clean(current.text) ?? current.text }))
    },
  }
}
