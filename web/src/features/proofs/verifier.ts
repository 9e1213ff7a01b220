export { CheckedFile } from './checked-file'
export { readFile } from './proof-file'
export { Result } from './result'
