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

/** The query parameters of a call that the contract has none of: the server refuses them. */
export function unknownParameters(method: string, address: string): string[] {
  const { pathname, searchParams } = new URL(address, window.location.origin)
  const matching = operations.filter(({ at }) => at.test(pathname))
  const { methods } = matching.find(({ fixed }) => fixed) ?? matching[0] ?? {}
  const known = methods?.[method.toLowerCase()]?.parameters?.filter((one) => one.in === 'query') ?? []
  return [...new Set(searchParams.keys())].filter((name) => !known.some((one) => one.name === name))
}
