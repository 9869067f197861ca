import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Replaces the lines of built files in a stack by those of the source. Node.js would read the source maps at every cold
 * start.
 *
 * @param folder - Where the built files are, with their maps. Without its map, a file keeps its lines.
 */
export function namingSource(stack: string, folder = import.meta.dirname): string {
  return stack.replaceAll(`${folder}/`, '').replace(/\b(\w+\.cjs):(\d+):(\d+)/g, (frame, file, line, column) => {
    const origin = mapOf(`${folder}/${file}.map`)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return frame;
    return `${origin.fileName.replace('../', '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
