// Finds functions that are too long: `boundaries.ts` prints them. Biome's rule would pass some of 120 lines, because it
// counts no comments.
import ts from 'typescript'

const maxLines = 100

/** Functions that are too long until they are divided. The check also fails once one of these is short enough. */
const knownLong: readonly string[] = [
  'createPaymentActions',
  'createSquatting',
  'editorOf',
  'membershipHandlers',
  'preparePaymentSite',
  'startRestoreSite',
]

/** A function with its number of lines. */
export type LongFunction = { file: string; name: string; lines: number }

/** Returns the functions of a source that are too long. In tests, callbacks such as those of `describe` may be. */
export function findLongFunctions(file: string, text: string): LongFunction[] {
  if (text.split('\n').length <= maxLines) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const isTest = /\.(test|spec)\.tsx?$/.test(file)
  const found: LongFunction[] = []

  function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node) && !(isTest && ts.isCallExpression(node.parent))) {
      const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1
      if (lines > maxLines) found.push({ file, name: nameOf(node), lines })
    }
    ts.forEachChild(node, visit)
  }

  function lineAt(position: number): number {
    return source.getLineAndCharacterOfPosition(position).line
  }

  visit(source)
  return found
}

/** Returns the name of a function, of what it is assigned to, or of the function around it. */
function nameOf(node: ts.Node): string {
  for (let named = node; !ts.isSourceFile(named); named = named.parent) {
    const { name } = ts.isFunctionLike(named) || isAssigned(named) ? named : { name: undefined }
    if (name !== undefined) return name.getText()
  }
  return 'a function without a name'
}

function isAssigned(node: ts.Node): node is ts.VariableDeclaration | ts.PropertyAssignment {
  return ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
}

/** Returns a line for each function that is too long and isn't known, and for each known one that is no longer. */
export function checkFunctionLengths(
  found: readonly LongFunction[],
  known: readonly string[] = knownLong,
): string[] {
  const names = new Set(found.map(({ name }) => name))
  return [
    ...found
      .filter(({ name }) => !known.includes(name))
      .map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`),
    ...known
      .filter((name) => !names.has(name))
      .map((name) => `${name} is short enough: remove it from function-length.ts`),
  ]
}
