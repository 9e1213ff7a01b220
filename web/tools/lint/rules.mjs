import { noTestCode } from './no-test-code.mjs'
import { textAlone } from './text-alone.mjs'

export default { meta: { name: 'kaibao' }, rules: { 'no-test-code': noTestCode, 'text-alone': textAlone } }
