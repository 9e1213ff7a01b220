import { type ChangeEvent, type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useComposedText } from '@/lib/ime'

const pauseMs = 300

/**
 * Props of a text input that reports its text after a pause in typing, on Enter and on blur. Typing goes on
 * undisturbed while the reported value comes back as `value`; any other new `value` replaces the text.
 * `clean` normalizes the text to report; texts for which it returns undefined aren't reported.
 */
export function useDebouncedInput(
  value: string,
  clean: (text: string) => string | undefined,
  onValue: (text: string) => void,
) {
  const [state, setState] = useState({ text: value, value, sent: value })
  const { text, sent } = state
  if (value !== state.value) setState({ text: value === sent ? text : value, value, sent: value })

  function send() {
    const cleaned = clean(text)
    if (cleaned === undefined || cleaned === sent) return
    setState((current) => ({ ...current, sent: cleaned }))
    onValue(cleaned)
  }

  const composed = useComposedText(text)
  const onPause = useEffectEvent((typed: string) => typed === text && send())
  useEffect(() => {
    const timer = setTimeout(() => onPause(composed), pauseMs)
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
