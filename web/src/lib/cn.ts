import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// `zoom-in` is one of our own animation classes.
const merge = extendTailwindMerge<'zoom-in'>({ extend: { classGroups: { 'zoom-in': [{ 'zoom-in': [() => true] }] } } })

/** Joins class names. If two Tailwind classes set the same property, the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
