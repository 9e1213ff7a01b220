import { describe, expect, it } from 'vitest'
import { cn } from './cn'

describe('cn', () => {
  it.each([
    ['p-6', 'p-0', 'p-0'],
    ['px-4 py-16', 'py-10', 'px-4 py-10'],
    ['px-4', 'p-2', 'p-2'],
    ['size-9', 'size-11', 'size-11'],
    ['w-4 h-4', 'size-5', 'size-5'],
    ['inline-flex', 'grid', 'grid'],
    ['max-w-md', 'max-w-none', 'max-w-none'],
    ['top-1/2 left-1/2 -translate-1/2', 'inset-0 translate-0', 'inset-0 translate-0'],
    ['rounded-2xl', 'rounded-none', 'rounded-none'],
    ['text-sm text-muted-foreground', 'text-lg', 'text-muted-foreground text-lg'],
    ['text-sm text-muted-foreground', 'text-gold-text', 'text-sm text-gold-text'],
    ['text-sm', 'text-[0.8125rem]', 'text-[0.8125rem]'],
    ['bg-card', 'bg-[radial-gradient(circle,red,blue)]', 'bg-card bg-[radial-gradient(circle,red,blue)]'],
    ['border border-line', 'border-0', 'border-line border-0'],
    ['border-2 border-dashed border-line', 'border-gold', 'border-2 border-dashed border-gold'],
    ['hover:bg-muted bg-card', 'bg-raised', 'hover:bg-muted bg-raised'],
    ['shrink-0', 'shrink', 'shrink'],
    ['rounded-xl', 'rounded-t-none', 'rounded-xl rounded-t-none'],
    ['rounded-t-lg', 'rounded-none', 'rounded-none'],
    ['border-t', 'border-t-0', 'border-t-0'],
    ['w-4', 'size-5', 'size-5'],
    ['ring-2 ring-gold', 'ring-0', 'ring-gold ring-0'],
    ['underline', 'no-underline', 'no-underline'],
    ['tabular-nums', 'normal-nums', 'normal-nums'],
    ['transition-colors', 'transition-none', 'transition-none'],
    ['pointer-events-none', 'pointer-events-auto', 'pointer-events-auto'],
    ['min-w-0', 'min-w-40', 'min-w-40'],
    ['flex-1', 'flex-none', 'flex-none'],
    ['sr-only', 'not-sr-only', 'not-sr-only'],
    ['data-[state=open]:zoom-in-95', 'data-[state=open]:zoom-in-100', 'data-[state=open]:zoom-in-100'],
  ])('%s + %s', (base, override, result) => {
    expect(cn(base, override)).toBe(result)
  })

  it('leaves out falsy values', () => {
    expect(cn('a', false, undefined, ['b'])).toBe('a b')
  })
})
