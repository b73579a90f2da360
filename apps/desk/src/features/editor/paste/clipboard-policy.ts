type Policy = { createHTML: (html: string) => string }

type Policies = { createPolicy: (name: string, rules: Policy) => Policy }

const keepText: Policy = { createHTML: (html) => html }

let policy: Policy | null = null

/** Parses HTML into a document of its own, where nothing runs or loads. */
export function parseInert(html: string): Document {
  policy ??= createPolicy()
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html')
}

function createPolicy(): Policy {
  const policies: Policies | undefined = Reflect.get(window, 'trustedTypes')
  return policies?.createPolicy('clipboard', keepText) ?? keepText
}
