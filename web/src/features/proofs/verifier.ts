export { FileResult } from './file-result'
export { parseFile } from './proof-file'
export { ProofResult } from './proof-result'
