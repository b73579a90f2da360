/** The rules of a clipboard's own style sheet by tag and class, and Word's by level of its lists. */
export type StyleSheet = {
  /** The declarations of simple selectors: `p`, `.s1` or `span.s1`. */
  rules: ReadonlyMap<string, string>
  /** The declarations of Word's `@list l0:level1`, by `l0:level1`. */
  lists: ReadonlyMap<string, string>
}

const simpleSelector = /^(?:[a-z][a-z0-9]*)?(?:\.[\w-]+)?$/i

/** Reads the rules whose selectors are simple. Others, such as those of pages and media, don't say how text looks. */
export function parseStyleSheet(css: string): StyleSheet {
  const rules = new Map<string, string>()
  const lists = new Map<string, string>()
  for (const { prelude, body } of readRules(withoutComments(css))) {
    const list = /^@list\s+(l\d+:level\d+)$/i.exec(prelude)?.[1]
    if (list) lists.set(list.toLowerCase(), body)
    if (prelude.startsWith('@')) continue
    for (const part of prelude.split(',')) {
      const selector = part.trim()
      if (selector === '' || !simpleSelector.test(selector)) continue
      const [tag = '', name] = selector.split('.')
      const key = name === undefined ? tag.toLowerCase() : `${tag.toLowerCase()}.${name}`
      rules.set(key, joinDeclarations(rules.get(key), body))
    }
  }
  return { rules, lists }
}

/** Returns the declarations of both, of which the second ones count more. */
export function joinDeclarations(first: string | undefined, second: string | undefined): string {
  return [first ?? '', second ?? ''].filter((part) => part !== '').join(';')
}

/** Splits a style sheet into its outermost rules. */
function readRules(css: string): { prelude: string; body: string }[] {
  const found: { prelude: string; body: string }[] = []
  let depth = 0
  let start = 0
  let prelude = ''
  for (let index = 0; index < css.length; index++) {
    const character = css.charAt(index)
    if (character === '{') {
      if (depth === 0) {
        prelude = css.slice(start, index).trim()
        start = index + 1
      }
      depth++
    } else if (character === '}' && depth > 0) {
      depth--
      if (depth === 0) {
        found.push({ prelude, body: css.slice(start, index).trim() })
        start = index + 1
      }
    } else if (character === ';' && depth === 0) {
      start = index + 1
    }
  }
  return found
}

/** Removes CSS comments and the marks that hide a style sheet from old browsers. */
function withoutComments(css: string): string {
  let kept = ''
  let from = 0
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', from)) {
    kept += `${css.slice(from, open)} `
    const close = css.indexOf('*/', open + 2)
    from = close < 0 ? css.length : close + 2
  }
  return (kept + css.slice(from)).replaceAll('<!--', ' ').replaceAll('-->', ' ')
}
