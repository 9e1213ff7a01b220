import { useState } from 'react'
import { createStore, useStore } from './store'

const composing = createStore(false)

/** Safari ends a composition before the keydown event that ended it. Then only this key code tells. */
const processedByInputMethod = 229

/**
 * Hides an input method's keys from the page: the Enter that picks a word must not submit a form or select an option.
 * Must run before other listeners are added.
 */
export function guardComposedKeys(): void {
  const updateComposing = (event: CompositionEvent | InputEvent) =>
    composing.set(event.type === 'compositionstart' || isComposingInput(event))
  for (const type of ['compositionstart', 'compositionend', 'input'] as const)
    window.addEventListener(type, updateComposing as EventListener, true)
  for (const type of ['keydown', 'keyup', 'keypress'] as const)
    window.addEventListener(
      type,
      (event) => {
        if (event.isComposing || event.keyCode === processedByInputMethod) event.stopImmediatePropagation()
      },
      true,
    )
}

const isComposingInput = (event: Event) => event instanceof InputEvent && event.isComposing

/** The text, without changes that an input method is still composing. */
export function useComposedText(text: string): string {
  const isComposing = useStore(composing)
  const [composed, setComposed] = useState(text)
  if (isComposing || composed === text) return composed
  setComposed(text)
  return text
}
