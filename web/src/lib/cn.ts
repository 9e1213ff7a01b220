import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// Of our own animations.
const merge = extendTailwindMerge<'zoom-in'>({ extend: { classGroups: { 'zoom-in': [{ 'zoom-in': [() => true] }] } } })

/** Joins class names; of two Tailwind classes for the same property the later wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs))
}
