// A rule for oxlint: string literals, templates and JSX text don't match the given patterns.
//
// "kaibao/restricted-strings": ["error", { "pattern": "…", "message": "…" }, …]

export const restrictedStrings = {
  meta: {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pattern: { type: 'string' }, message: { type: 'string' } },
        required: ['pattern', 'message'],
        additionalProperties: false,
      },
    },
  },
  create(context) {
    const restricted = context.options.map(({ pattern, message }) => ({ regExp: new RegExp(pattern), message }))
    function check(node, text) {
      for (const { regExp, message } of restricted) if (regExp.test(text)) context.report({ node, message })
    }
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
      JSXText: (node) => check(node, node.value),
    }
  },
}
