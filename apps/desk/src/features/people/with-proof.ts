/** Makes a change that may need a proof. */
export type WithProof = <T>(change: () => Promise<T>) => Promise<T>
