import { type ClassValue, clsx } from 'clsx'
import { createTailwindMerge } from 'tailwind-merge'
import { classGroups, conflictingClassGroups } from './class-groups'

const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: [
    'before',
    'after',
    'placeholder',
    'file',
    'marker',
    'selection',
    'first-line',
    'first-letter',
    'backdrop',
  ],
}))

/** Joins class names; of two Tailwind classes for the same property the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
