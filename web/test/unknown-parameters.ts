import { readFileSync } from 'node:fs'

interface Operation {
  parameters?: { name: string; in: string }[]
}

const document = JSON.parse(readFileSync('../api/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}

const operations = Object.entries(document.paths).map(([path, methods]) => ({
  at: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  fixed: !path.includes('{'),
  methods,
}))

/** The call's query parameters that the API doesn't have, so that the server would refuse them. */
export function unknownParameters(method: string, address: string): string[] {
  const { pathname, searchParams } = new URL(address, window.location.origin)
  const matching = operations.filter(({ at }) => at.test(pathname))
  const { methods } = matching.find(({ fixed }) => fixed) ?? matching[0] ?? {}
  const known = methods?.[method.toLowerCase()]?.parameters?.filter((parameter) => parameter.in === 'query') ?? []
  return [...new Set(searchParams.keys())].filter((name) => !known.some((parameter) => parameter.name === name))
}
