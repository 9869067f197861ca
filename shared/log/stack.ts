import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Replaces the lines of the built file in a stack by those of the source, if there is a source map. Node.js would read
 * the map at every cold start.
 */
export function namingSource(stack: string): string {
  return stack.replace(/(file:\/\/\S+?):(\d+):(\d+)/g, (frame, url, line, column) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin)) return frame;
    return `${origin.fileName.replace('../', '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

const maps = new Map<string, SourceMap | undefined>();

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
