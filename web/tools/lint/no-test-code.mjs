// A rule for oxlint: product code doesn't import test code.

export const noTestCode = {
  create(context) {
    return {
      ImportDeclaration(node) {
        if (node.source.value.startsWith('@test/')) {
          context.report({ node, message: 'Product code must not import test code.' })
        }
      },
    }
  },
}
