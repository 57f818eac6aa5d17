#!/usr/bin/env python3
"""Sends clangd the requests that an editor would send.

Usage: clangd_client.py CLANGD [--definition LINE:COLUMN] FILES...

Opens the files and prints `FILE:LINE: MESSAGE` for each error and warning. With --definition it then
prints `FILE:LINE` of the definition of the name at that place in the last file.
"""
import json
import pathlib
import subprocess
import sys


class Clangd:
    def __init__(self, program):
        self.process = subprocess.Popen([program, '--log=error', '--background-index=false', '-j=2'],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.calls = 0
        self.call('initialize', {'processId': None, 'rootUri': None, 'capabilities': {}})
        self.notify('initialized', {})

    def send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f'clangd ended with {self.process.wait()}')
            if line == b'\r\n':
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b'content-length:'):
                length = int(line.split(b':')[1])

    def notify(self, method, parameters):
        self.send({'method': method, 'params': parameters})

    def call(self, method, parameters):
        self.calls += 1
        self.send({'id': self.calls, 'method': method, 'params': parameters})
        while True:
            answer = self.receive()
            if answer.get('id') == self.calls and 'method' not in answer:
                if 'error' in answer:
                    sys.exit(f'{method}: {answer["error"]}')
                return answer['result']

    def diagnostics(self, path):
        """Opens one file and waits for its diagnostics."""
        self.notify('textDocument/didOpen', {'textDocument': {
            'uri': path.as_uri(), 'languageId': 'cuda', 'version': 1, 'text': path.read_text()}})
        while True:
            message = self.receive()
            if message.get('method') != 'textDocument/publishDiagnostics':
                continue
            if message['params']['uri'] == path.as_uri():
                return message['params']['diagnostics']


def main():
    words = sys.argv[1:]
    clangd = Clangd(words.pop(0))
    place = None
    if words[0] == '--definition':
        place = [int(number) for number in words[1].split(':')]
        words = words[2:]
    paths = [pathlib.Path(word).resolve() for word in words]
    for path in paths:
        for found in clangd.diagnostics(path):
            if found['severity'] <= 2:
                sentence = found['message'].splitlines()[0]
                print(f'{path.name}:{found["range"]["start"]["line"] + 1}: {sentence}')
        if place is None:
            clangd.notify('textDocument/didClose', {'textDocument': {'uri': path.as_uri()}})
    if place:
        answers = clangd.call('textDocument/definition', {
            'textDocument': {'uri': paths[-1].as_uri()},
            'position': {'line': place[0] - 1, 'character': place[1] - 1}})
        for answer in answers:
            print(f'{pathlib.Path(answer["uri"]).name}:{answer["range"]["start"]["line"] + 1}')
    clangd.call('shutdown', None)
    clangd.notify('exit', None)
    clangd.process.wait()


main()
