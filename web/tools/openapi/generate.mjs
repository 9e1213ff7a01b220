// Writes src/contract/schema.d.ts from api/openapi.json. It has its own package.json because openapi-typescript needs an
// older TypeScript than the app.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'

const source = new URL('../../../api/openapi.json', import.meta.url)
const target = new URL('../../src/contract/schema.d.ts', import.meta.url)

// The server ignores unknown fields. Allowing them in the types would allow misspelled ones.
const withoutOpenObjects = (key, value) => (key === 'additionalProperties' && value === true ? undefined : value)

const document = JSON.parse(readFileSync(source, 'utf8'), withoutOpenObjects)
writeFileSync(target, COMMENT_HEADER + astToString(await openapiTS(document)))
