import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { name } from '../../package.json';
import type { Template } from '../../serverless/changes/deployed-stack.js';
import { listen } from '../support/listen.js';

type Variables = Readonly<Record<string, string>>;

/** What Lambda keeps of the function. */
interface Version {
  readonly number: string;
  readonly code: string;
  readonly variables: Variables;
  readonly role?: string;
}

/** What stands in for an answer of Lambda: its status, the name of its exception, and its message. */
export type Refusal = readonly [status: number, exception: string, message: string];

const FUNCTION = `${name}-live-api`;
const ARN = `arn:aws:lambda:eu-central-1:123456789012:function:${FUNCTION}`;

/** What CloudFormation has of a stack in which nothing is yet. */
const EMPTY: Template = { Resources: {}, Outputs: {} };

/**
 * Stands in for an AWS account to which the stage `live` is deployed. Of a template it applies what makes versions: the function, the
 * version and the alias, as CloudFormation and Lambda do. It keeps what is uploaded.
 */
export class Account {
  /** The methods and paths that changed something of Lambda. */
  readonly changes: string[] = [];
  /** Those that are kept, the oldest first. */
  published: Version[] = [];
  /** The number of the version that callers reach; undefined without an alias. */
  current: string | undefined;
  /** What a request gets instead of its answer: to Lambda by the beginning of method and path, to CloudFormation and DynamoDB by the action. */
  refused: readonly [request: string, refusal: Refusal] | undefined;
  /** Whether Lambda does what a request to change the alias asks for, but its first answer is lost. */
  losesAnAnswer = false;
  /** What happens just before the alias is changed. */
  meanwhile: (() => void) | undefined;
  /** How many instances may run at once, and how many of them no function has reserved. */
  quota: readonly [all: number, unreserved: number] = [1000, 1000];
  /** How many the function has reserved, whatever its template says. */
  reserved: number | undefined;
  /** Whether there is a stack that a change set has made, which was never executed. */
  reviewed = false;
  readonly missingTables: string[] = [];
  /** How the next updates end: well, refused before CloudFormation begins, or undone after it has made the version. All others end well. */
  readonly ends: ('well' | 'refused' | 'undone')[] = [];
  /** Whether the caller may not decrypt variables. */
  hidesVariables = false;
  #last: Version | undefined;
  #template: Template | undefined;
  #uploaded: Template | undefined;
  /** The hashes of what is in the bucket, by key. */
  readonly #objects = new Map<string, string>();
  #change: string | undefined;
  /** Stays with the stack. */
  #role: string | undefined;
  #state = 'COMPLETE';
  #revision = 0;
  #published = 0;
  readonly #server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const [, service = ''] = /=\w+\/\d+\/[^/]+\/(\w+)\//.exec(headers.authorization ?? '') ?? [];
    const body = await text(request);
    if (service === 's3') return this.#bucket(request, response, body);
    const answer = service === 'lambda' ? this.#lambda(method, url, body) : this.#other(service, body);
    if (answer === 'lost') return request.socket.destroy();
    const [status, content, exception] = answer;
    const type = typeof content === 'string' ? 'text/xml' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, ...(exception && { 'X-Amzn-ErrorType': exception }) });
    return response.end(typeof content === 'string' ? content : JSON.stringify(content));
  });

  /** Starts it, and returns the variables by which commands find it. It keeps no test from ending. */
  async open(): Promise<Record<string, string>> {
    const address = await listen(this.#server.unref());
    return {
      AWS_ENDPOINT_URL: `http://${address}`,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      SLS_AWS_MONITORING_FREQUENCY: '1',
    };
  }

  close(): void {
    this.#server.close();
  }

  /** How many files were uploaded. */
  get uploads(): number {
    return this.#objects.size;
  }

  /** Publishes a version as a deployment does, and lets callers reach it. */
  publish(variables: Variables, role = 'role'): void {
    this.#last = { number: '$LATEST', code: '', variables, role };
    this.published.push({ ...this.#last, number: String(++this.#published) });
    this.#move(String(this.#published));
  }

  /** Does what a template asks for, and nothing if it is undone. */
  #execute(next: Template, end: 'well' | 'undone' = 'well'): void {
    const [before, last] = [this.#template, this.#last];
    this.#state = 'COMPLETE';
    const { Environment } = next.Resources.ApiLambdaFunction?.Properties ?? {};
    const [id, version] = Object.entries(next.Resources).find(([, { Type }]) => Type === 'AWS::Lambda::Version') ?? [];
    if (!id || !version) throw new Error('The template has no version.');
    this.#last = { number: '$LATEST', code: version.Properties.CodeSha256, variables: Environment.Variables };
    if (!before?.Resources[id]) {
      const latest = this.published.at(-1);
      // Lambda makes no second version of the same, and then CloudFormation fails.
      if (latest && isDeepStrictEqual({ ...latest, number: '$LATEST' }, this.#last)) {
        this.#undo(last);
        return;
      }
      this.published.push({ ...this.#last, number: String(++this.#published) });
    }
    if (end === 'undone') {
      if (version.DeletionPolicy !== 'Retain') this.published.pop();
      this.#undo(last);
      return;
    }
    // CloudFormation changes only what differs between two templates.
    if (!isDeepStrictEqual(before?.Resources.ApiAlias, next.Resources.ApiAlias)) this.#move(String(this.#published));
    this.#template = next;
  }

  #undo(last: Version | undefined): void {
    this.#last = last;
    this.#state = 'ROLLBACK_COMPLETE';
  }

  #move(to: string): void {
    this.current = to;
    this.#revision += 1;
  }

  #lambda(method: string, url: string, body: string): 'lost' | readonly [number, object, string?] {
    const path = url.replace(/^\/[\d-]+\/functions\//, '');
    if (method !== 'GET') this.changes.push(`${method} ${path}`);
    const missing = [404, { Message: 'not there' }, 'ResourceNotFoundException'] as const;
    const [refused = '', [status, exception, Message] = [0, '', '']] = this.refused ?? [];
    if (refused && `${method} ${path}`.startsWith(refused)) return [status, { Message }, exception];
    if (/account-settings\/?$/.test(path)) {
      const [ConcurrentExecutions, UnreservedConcurrentExecutions] = this.quota;
      return [200, { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } }];
    }
    if (!path.startsWith(FUNCTION) || !this.#last) return missing;
    const rest = path.slice(FUNCTION.length);
    if (rest.startsWith('/versions')) return this.#page(new URL(url, 'http://lambda').searchParams.get('Marker'));
    if (method === 'DELETE') {
      const number = new URLSearchParams(rest.split('?')[1]).get('Qualifier');
      this.published = this.published.filter((version) => version.number !== number);
      return [204, {}];
    }
    // In the future, because a rollback of CloudFormation touches the function after the uploads of the update that failed.
    if (method === 'GET' && rest === '')
      return [
        200,
        {
          Configuration: { LastModified: '2126-11-25T18:40:00.000+0000' },
          Concurrency: { ReservedConcurrentExecutions: this.reserved },
        },
      ];
    const alias = () => ({ Name: 'current', FunctionVersion: this.current, RevisionId: `revision ${this.#revision}` });
    if (/^\/aliases\b(?!\/)/.test(rest)) return [200, { Aliases: this.current ? [alias()] : [] }];
    if (rest !== '/aliases/current' || !this.current) return missing;
    if (method === 'GET') return [200, alias()];
    this.meanwhile?.();
    const { FunctionVersion, RevisionId } = JSON.parse(body);
    if (RevisionId !== `revision ${this.#revision}`)
      return [412, { Message: 'changed' }, 'PreconditionFailedException'];
    this.#move(FunctionVersion);
    if (!this.losesAnAnswer) return [200, alias()];
    this.losesAnAnswer = false;
    return 'lost';
  }

  /** Two versions a page, so that more than one is asked for. */
  #page(marker: string | null): readonly [number, object] {
    const all = [this.#last as Version, ...this.published].map(({ number, variables, role }) => ({
      Version: number,
      LastModified: `2026-11-2${number.slice(-1).replace('T', '3')}T18:40:00.000+0000`,
      Role: role,
      Environment: this.hidesVariables ? { Error: { ErrorCode: 'AccessDeniedException' } } : { Variables: variables },
    }));
    const start = Number(marker ?? 0);
    const NextMarker = start + 2 < all.length ? String(start + 2) : undefined;
    return [200, { Versions: all.slice(start, start + 2), NextMarker }];
  }

  #bucket({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const key = decodeURIComponent(url.replace(/\?.*/, '').replace(/^\/[^/]+\/?/, ''));
    if (method === 'PUT') {
      this.#objects.set(key, String(headers['x-amz-meta-filesha256']));
      if (body.startsWith('{"AWSTemplateFormat')) this.#uploaded = JSON.parse(body);
    }
    const listed = Array.from(
      this.#objects.keys(),
      (name) => `<Contents><Key>${name}</Key><LastModified>2026-11-25T18:40:00.000Z</LastModified></Contents>`,
    );
    const hash = this.#objects.get(key);
    response.writeHead(200, { 'Content-Type': 'text/xml', ...(hash && { 'x-amz-meta-filesha256': hash }) });
    response.end(method === 'HEAD' ? '' : `<R>${listed.join('')}</R>`);
  }

  #other(service: string, body: string): readonly [number, string | object] {
    if (service === 'sts')
      return [
        200,
        '<R><GetCallerIdentityResult><Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/me</Arn></GetCallerIdentityResult></R>',
      ];
    const [refused, [status, exception, message] = [0, '', '']] = this.refused ?? [];
    if (service === 'dynamodb' && refused === 'DescribeTable') return [status, { __type: exception, message }];
    if (service === 'dynamodb' && this.missingTables.includes(JSON.parse(body).TableName))
      return [400, { __type: 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException' }];
    if (service !== 'cloudformation') return [200, { item: [{ id: 'api', name: `${name}-live` }], tags: {} }];
    const query = new URLSearchParams(body);
    const action = query.get('Action');
    this.#change = query.get('ChangeSetType') ?? this.#change;
    this.#role = query.get('RoleARN') ?? this.#role;
    if (refused === action)
      return [status, `<R><Error><Code>${exception}</Code><Message>${message}</Message></Error></R>`];
    if (this.reviewed && action === 'DescribeStacks')
      return [
        200,
        '<R><DescribeStacksResult><Stacks><member><StackStatus>REVIEW_IN_PROGRESS</StackStatus></member></Stacks></DescribeStacksResult></R>',
      ];
    if (!this.#change && action !== 'ValidateTemplate')
      return [400, '<R><Error><Code>ValidationError</Code><Message>It does not exist</Message></Error></R>'];
    if (action === 'GetTemplate') {
      // AWS doesn't document which one it is after a failed update. This is the worse one.
      const template = this.#state === 'COMPLETE' ? (this.#template ?? EMPTY) : this.#uploaded;
      const text = JSON.stringify(template).replaceAll(/[^\0-\x7f]/gu, '?');
      return [200, `<R><GetTemplateResult><TemplateBody><![CDATA[${text}]]></TemplateBody></GetTemplateResult></R>`];
    }
    // A new stack has a bucket at first, and no upload.
    if (action === 'ExecuteChangeSet' && this.#uploaded) {
      const end = this.ends.shift();
      if (end === 'refused')
        return [400, '<R><Error><Code>ValidationError</Code><Message>It is refused</Message></Error></R>'];
      this.#execute(this.#uploaded, end);
    }
    const event = (state: string) => `<member><EventId>${state}</EventId><StackName>live</StackName>
      <LogicalResourceId>live</LogicalResourceId><ResourceType>AWS::CloudFormation::Stack</ResourceType>
      <ResourceStatus>${this.#change}_${state}</ResourceStatus></member>`;
    const events = ['IN_PROGRESS', ...(this.#state === 'COMPLETE' ? [] : ['ROLLBACK_IN_PROGRESS']), this.#state];
    return [
      200,
      `<R><${action}Result><Id>change</Id><StackId>stack</StackId><Status>CREATE_COMPLETE</Status>
      <Changes><member><Type>Resource</Type></member></Changes>
      <Stacks><member><StackStatus>${this.#change}_${this.#state}</StackStatus>${this.#role ? `<RoleARN>${this.#role}</RoleARN>` : ''}<Outputs><member>
      <OutputKey>ApiLambdaFunctionQualifiedArn</OutputKey><OutputValue>${ARN}:${this.#published}</OutputValue>
      </member></Outputs></member></Stacks>
      <StackResourceDetail><PhysicalResourceId>bucket</PhysicalResourceId></StackResourceDetail>
      <StackEvents>${events.reverse().map(event).join('')}</StackEvents></${action}Result></R>`,
    ];
  }
}
