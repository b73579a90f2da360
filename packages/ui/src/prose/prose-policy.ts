type Policy = { createHTML: (html: string) => string }

type Policies = { createPolicy: (name: string, rules: Policy) => Policy }

const keepText: Policy = { createHTML: (html) => html }

let policy: Policy | null = null

const prosePolicyName = 'prose'

/** Returns sanitized HTML as the browser takes it. */
export function trustedProse(sanitizedHtml: string): string {
  policy ??= createPolicy()
  return policy.createHTML(sanitizedHtml)
}

function createPolicy(): Policy {
  const policies: Policies | undefined = Reflect.get(globalThis, 'trustedTypes')
  return policies?.createPolicy(prosePolicyName, keepText) ?? keepText
}
