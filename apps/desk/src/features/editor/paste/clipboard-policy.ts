type Policy = { createHTML: (html: string) => string }

type Policies = { createPolicy: (name: string, rules: Policy) => Policy }

const keepText: Policy = { createHTML: (html) => html }

let policy: Policy | null = null

/** Names the style attributes of a parsed document and marks its style sheets, which the browser would report. */
export const inertStyle = 'data-pasted-style'

/** Parses HTML into a document of its own, where nothing runs, loads or styles. */
export function parseInert(html: string): Document {
  policy ??= createPolicy()
  const unstyled = html
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/(?<=[\s"'])style(?=\s*=)/gi, inertStyle))
    // Both elements hold text up to their end.
    .replaceAll(/<style\b/gi, `<script type="text/plain" ${inertStyle}=""`)
    .replaceAll(/<\/style\b/gi, '</script')
  return new DOMParser().parseFromString(policy.createHTML(unstyled), 'text/html')
}

function createPolicy(): Policy {
  const policies: Policies | undefined = Reflect.get(window, 'trustedTypes')
  return policies?.createPolicy('clipboard', keepText) ?? keepText
}
