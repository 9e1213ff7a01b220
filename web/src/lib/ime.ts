import { useState } from 'react'
import { createStore, useStore } from './store'

const composing = createStore(false)

/** Safari ends a composition before the keydown that ended it; only this key code shows that. */
const processedByInputMethod = 229

/**
 * Keeps the keys of an input method to itself: the Enter that picks a word must not send a form or choose an option.
 * Listens before everything else on the page.
 */
export function guardComposedKeys(): void {
  const follow = (event: CompositionEvent | InputEvent) =>
    composing.set(event.type === 'compositionstart' || isPart(event))
  for (const type of ['compositionstart', 'compositionend', 'input'] as const)
    window.addEventListener(type, follow as EventListener, true)
  for (const type of ['keydown', 'keyup', 'keypress'] as const)
    window.addEventListener(
      type,
      (event) => {
        if (event.isComposing || event.keyCode === processedByInputMethod) event.stopImmediatePropagation()
      },
      true,
    )
}

const isPart = (event: Event) => event instanceof InputEvent && event.isComposing

/** The text, which stays as it was while an input method composes it. */
export function useComposedText(text: string): string {
  const isComposing = useStore(composing)
  const [composed, setComposed] = useState(text)
  if (isComposing || composed === text) return composed
  setComposed(text)
  return text
}
