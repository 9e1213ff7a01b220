import { noTestCode } from './no-test-code.mjs'
import { numberInput } from './number-input.mjs'
import { restrictedStrings } from './restricted-strings.mjs'
import { textAlone } from './text-alone.mjs'

export default {
  meta: { name: 'kaibao' },
  rules: {
    'no-test-code': noTestCode,
    'number-input': numberInput,
    'restricted-strings': restrictedStrings,
    'text-alone': textAlone,
  },
}
