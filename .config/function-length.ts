// Finds functions that are too long: `boundaries.ts` prints them. Biome's rule would pass some of 120 lines, because it
// counts no comments.
import ts from 'typescript'

const maxLines = 100

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

/** Returns a line for each function that is too long. */
export function checkFunctionLengths(found: readonly LongFunction[]): string[] {
  return found.map(({ file, name, lines }) => `${file}: ${name} has ${lines} lines`)
}
