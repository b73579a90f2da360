// Finds what the context hands from one feature to another that doesn't import it: `boundaries.ts` prints them.
import { relative, sep } from 'node:path'
import ts from 'typescript'
import { callbackLines, featureLines } from './feature-lines.ts'

/** A dependency of a feature that another feature provides. */
export type ContextCallback = { to: string; name: string; from: string }

/** Reads the program that starts at a file. */
export function readProgram(file: string, options: ts.CompilerOptions): ts.Program {
  return ts.createProgram([file], { ...options, noEmit: true })
}

/**
 * Returns what calls in `context.ts` and `context/` pass to the functions of features, and another feature declares. Types
 * tell what a function takes, because a context spreads more than that.
 */
export function findCallbacks(program: ts.Program, folder: string): ContextCallback[] {
  const checker = program.getTypeChecker()
  const found: ContextCallback[] = []

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) readCall(node)
    ts.forEachChild(node, visit)
  }

  function readCall(call: ts.CallExpression): void {
    const parameters = checker.getResolvedSignature(call)?.parameters ?? []
    for (const to of providersOf(call.expression)) {
      for (const [index, argument] of call.arguments.entries()) {
        const parameter = parameters[index]
        if (parameter === undefined) continue
        const given = checker.getTypeAtLocation(argument)
        for (const { name } of checker.getTypeOfSymbol(parameter).getProperties()) {
          const from = providersOfSymbol(checker.getPropertyOfType(given, name))
          found.push(...[...from].filter((feature) => feature !== to).map((from) => ({ to, name, from })))
        }
      }
    }
  }

  /** Returns the features that an expression is from. What a feature's function returns is from that feature alone. */
  function providersOf(node: ts.Node): Set<string> {
    if (ts.isCallExpression(node)) return providersOf(node.expression)
    if (ts.isPropertyAccessExpression(node)) return providersOfSymbol(checker.getSymbolAtLocation(node.name))
    if (ts.isIdentifier(node)) return providersOfSymbol(checker.getSymbolAtLocation(node))
    return providersWithin(node)
  }

  /** Returns the features of everything inside a function, an object or a condition. */
  function providersWithin(node: ts.Node): Set<string> {
    const features = new Set<string>()
    ts.forEachChild(node, (child) => {
      const isLeaf = ts.isIdentifier(child) || ts.isPropertyAccessExpression(child)
      for (const feature of isLeaf ? providersOf(child) : providersWithin(child)) features.add(feature)
    })
    return features
  }

  function providersOfSymbol(symbol: ts.Symbol | undefined): Set<string> {
    if (symbol === undefined) return new Set()
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    const { declarations = [] } = isAlias ? checker.getAliasedSymbol(symbol) : symbol
    return new Set(declarations.flatMap((declaration) => [...providersOfDeclaration(declaration)]))
  }

  function providersOfDeclaration(declaration: ts.Declaration): Set<string> {
    const path = pathOf(declaration.getSourceFile())
    const [, feature] = /^features\/([^/]+)\//.exec(path) ?? []
    if (feature !== undefined) return new Set([feature])
    if (!isContext(path)) return new Set()
    if (ts.isShorthandPropertyAssignment(declaration))
      return providersOfSymbol(checker.getShorthandAssignmentValueSymbol(declaration))
    if (ts.isBindingElement(declaration)) return providersOfSymbol(boundProperty(declaration))
    if (ts.isPropertySignature(declaration))
      return providersOfSymbol(checker.getTypeAtLocation(declaration).getSymbol())
    const isValue = ts.isPropertyAssignment(declaration) || ts.isVariableDeclaration(declaration)
    return isValue && declaration.initializer ? providersOf(declaration.initializer) : new Set()
  }

  /** Returns the property that an element of a destructuring takes. */
  function boundProperty({ parent, propertyName, name }: ts.BindingElement): ts.Symbol | undefined {
    return checker.getPropertyOfType(checker.getTypeAtLocation(parent), (propertyName ?? name).getText())
  }

  function pathOf(source: ts.SourceFile): string {
    return relative(folder, source.fileName).replaceAll(sep, '/')
  }

  for (const source of program.getSourceFiles()) if (isContext(pathOf(source))) visit(source)
  return found
}

function isContext(path: string): boolean {
  return /^context(\.ts$|\/)/.test(path)
}

/** Returns a line for each callback that isn't listed, and for each listed one that is no longer handed up. */
export function checkCallbacks(
  found: readonly ContextCallback[],
  lines: { imports: typeof featureLines; callbacks: typeof callbackLines } = {
    imports: featureLines,
    callbacks: callbackLines,
  },
): string[] {
  // A feature that may import another one may also get its service.
  const handed = found.filter(({ to, from }) => lines.imports[to]?.[from] === undefined)
  const textOf = ({ to, name, from }: ContextCallback) => `${to} gets ${name} of ${from}`
  const listed = Object.entries(lines.callbacks).flatMap(([to, callbacks]) =>
    Object.entries(callbacks).map(([name, { from }]) => textOf({ to, name, from })),
  )
  const actual = new Set(handed.map(textOf))
  return [
    ...[...actual].filter((text) => !listed.includes(text)).map((text) => `${text}: not listed`),
    ...listed.filter((text) => !actual.has(text)).map((text) => `${text}: listed, but not handed up`),
  ]
}
