// A rule for oxlint: text in JSX is the only child of its element.
//
// A browser that translates a page replaces text nodes with elements of its own. React does not know: it fails where it
// inserts something before such a node or removes it, and a changed text never shows. Where the text is all that an
// element contains, React sets the element's content, which works whatever a translator has put there.

const isNothing = (node) =>
  node.type === 'JSXEmptyExpression' ||
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'Literal' && (node.value === null || typeof node.value === 'boolean'))

/** The identifier that an expression starts from: `t` of `t.price(cents)`; `actions` of `actions(entry)`. */
function rootOf(node) {
  if (node.type === 'CallExpression') return rootOf(node.callee)
  if (node.type === 'MemberExpression') return rootOf(node.object)
  if (node.type === 'TSNonNullExpression') return rootOf(node.expression)
  return node.type === 'Identifier' ? node.name : undefined
}

/** What hooks and routes call what they hand on to be rendered. */
const slots = new Set(['button', 'children', 'demo', 'dialog', 'quickSell', 'selection', 'sweep'])

/** Whether the file declares a name as something to render and not as text. */
function rendersElements(name, source) {
  const asType = new RegExp(String.raw`\b${name}\??: (?:[^\n]*=> )?(?:\(?ReactNode|VerificationDialog)`)
  const asValue = new RegExp(
    String.raw`\b(?:const ${name} = (?:\([^\n]*=>\s*)?[\s(]*<|function ${name}\(.*\): ReactNode)`,
  )
  return asType.test(source) || asValue.test(source)
}

/** Whether an expression may be a text. */
function mayBeText(node, source) {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return false
    case 'ConditionalExpression':
      return mayBeText(node.consequent, source) || mayBeText(node.alternate, source)
    case 'LogicalExpression':
      return (node.operator !== '&&' && mayBeText(node.left, source)) || mayBeText(node.right, source)
    case 'CallExpression':
    case 'Identifier':
    case 'MemberExpression': {
      if (isNothing(node)) return false
      const iterates = node.type === 'CallExpression' && node.arguments.some(({ type }) => type.includes('Function'))
      const root = rootOf(node)
      const last = node.type === 'MemberExpression' ? node.property.name : root
      return !iterates && !slots.has(last) && !(root && rendersElements(root, source))
    }
    case 'ChainExpression':
      return mayBeText(node.expression, source)
    default:
      return !isNothing(node)
  }
}

/** Translators leave spaces alone. */
const isSpace = (node) => node.type === 'Literal' && typeof node.value === 'string' && node.value.trim() === ''

/** Every child that the browser gets to see, with whether it is text. */
function seen(children, source) {
  return children.flatMap((child) => {
    if (child.type === 'JSXText') {
      const space = child.value.trim() === ''
      return space && child.value.includes('\n') ? [] : [{ child, space, text: !space }]
    }
    if (child.type !== 'JSXExpressionContainer') return [{ child, text: false }]
    const { expression } = child
    if (isNothing(expression)) return []
    const space = isSpace(expression)
    return [{ child, space, text: !space && mayBeText(expression, source) }]
  })
}

const message = 'Give text beside other children an element of its own: a translated page breaks here.'

export const textAlone = {
  create(context) {
    const source = context.sourceCode.text
    function check(node) {
      const children = seen(node.children, source)
      if (children.length < 2) return
      for (const { child, text } of children) {
        if (text) context.report({ node: child, message })
      }
    }
    return { JSXElement: check, JSXFragment: check }
  },
}
