/**
 * Joins class names and leaves out falsy values. It resolves no conflicts: a default that callers replace needs the
 * variant `base:` (src/styles/index.css).
 */
export { clsx as cn } from 'clsx'
