// A rule for oxlint: numbers are typed into NumberInput, which accepts every decimal separator.

const restricted = { type: 'number', inputMode: 'decimal' }

export const numberInput = {
  create(context) {
    return {
      JSXAttribute(node) {
        const value = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value
        if (value?.type === 'Literal' && restricted[node.name.name] === value.value) {
          context.report({ node, message: 'Use NumberInput, which accepts every decimal separator.' })
        }
      },
    }
  },
}
