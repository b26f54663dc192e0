from mojika import Utf8Writer as Utf8Writer
