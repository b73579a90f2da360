/** Shows other HTML in an element, and replaces only the blocks that differ, so that a long text isn't laid out again. */
export function replaceChanged(element: Element, html: string): void {
  const template = document.createElement('template')
  template.innerHTML = html
  const before = [...element.childNodes]
  const after = [...template.content.childNodes]
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && isSame(before[start], after[start])) start++
  let end = 0
  while (end < shortest - start && isSame(before.at(-1 - end), after.at(-1 - end))) end++
  const following = before[before.length - end] ?? null
  for (const node of before.slice(start, before.length - end)) node.remove()
  for (const node of after.slice(start, after.length - end)) element.insertBefore(node, following)
}

function isSame(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && one.isEqualNode(other)
}
