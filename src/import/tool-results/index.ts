export { readPossibleAnswerFiles, readToolResults } from './read-tool-results.ts'
export { recogniseFile, type RecognisedFile } from './recognise.ts'
